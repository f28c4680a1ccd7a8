/** The messages of the protocol, their schemas and their enums, under the names that the proto files give them. */

export * from "./gen/charleston/referee/v1/ruling_pb.js";
export * from "./gen/charleston/referee/v1/service_pb.js";
export * from "./gen/charleston/referee/v1/table_pb.js";
