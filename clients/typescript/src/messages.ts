/** The messages of the protocol, their schemas and their enums, under the names that the proto files give them. */

// With these a message is made, stored and read again, without a second copy of the library beside this one's.
export {
  clone,
  create,
  equals,
  fromBinary,
  fromJson,
  fromJsonString,
  type MessageInitShape,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
export * from "./gen/charleston/referee/v1/ruling_pb.js";
export * from "./gen/charleston/referee/v1/service_pb.js";
export * from "./gen/charleston/referee/v1/table_pb.js";
