/** A hand walked act by act: the table kept between calls, as a referee remembers none. */

import { clone, create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Ruling, Standing } from "./gen/charleston/referee/v1/ruling_pb.js";
import {
  type AnswerOptionsSchema,
  type JudgeResponse,
  type WhatNextResponse,
} from "./gen/charleston/referee/v1/service_pb.js";
import { ActSchema, Stage, type Table, TableSchema } from "./gen/charleston/referee/v1/table_pb.js";
import type { CallOptions, Referee } from "./referee.js";

/**
 * A hand whose acts are judged one after another; calls that overlap wait for each other.
 *
 * What rejects changes nothing, so the same act can be put again. To play from a stored table, store `table` after
 * each act, and only if the stored one is still the one that the hand was made from.
 */
export class Hand {
  readonly #referee: Referee;
  readonly #options: MessageInitShape<typeof AnswerOptionsSchema>;
  readonly #rulings: Ruling[] = [];
  #table: Table;
  #standing: Standing | undefined;
  #before: Promise<unknown> = Promise.resolve();

  /**
   * @param referee - whom to ask
   * @param table - where the hand stands; nothing dealt, where it is not given
   * @param options - how to answer every question; the standing is always asked for
   */
  constructor(
    referee: Referee,
    table?: MessageInitShape<typeof TableSchema>,
    options: MessageInitShape<typeof AnswerOptionsSchema> = {},
  ) {
    this.#referee = referee;
    this.#options = { ...options, rulingOnly: false }; // there would be no table to keep
    this.#table = clone(TableSchema, create(TableSchema, table ?? { stage: Stage.UNDEALT }));
  }

  /** A copy of the table as it is now, for the game's own store. */
  get table(): Table {
    return clone(TableSchema, this.#table);
  }

  /** The table and what comes next as last answered; undefined before the first answer. */
  get standing(): Standing | undefined {
    return this.#standing;
  }

  /** The rulings on all acts so far, in order, those on illegal acts too. */
  get rulings(): readonly Ruling[] {
    return [...this.#rulings];
  }

  /** Have an act judged, move on if the ruling lets it, and return the answer; no stage means the table's. */
  act(act: MessageInitShape<typeof ActSchema>, call?: CallOptions): Promise<JudgeResponse> {
    return this.#oneAtATime(async () => {
      const made = clone(ActSchema, create(ActSchema, act));
      made.stage ||= this.#table.stage;
      const question = { table: this.#table, act: made, options: this.#options };
      const answer = await this.#referee.judge(question, call);
      if (answer.ruling) this.#rulings.push(answer.ruling);
      this.#stand(answer.standing);
      return answer;
    });
  }

  /** Ask how the hand stands and what comes next; a table whose counts are wrong is thrown in. */
  whatNext(call?: CallOptions): Promise<WhatNextResponse> {
    return this.#oneAtATime(async () => {
      const answer = await this.#referee.whatNext({ table: this.#table, options: this.#options }, call);
      this.#stand(answer.standing);
      return answer;
    });
  }

  #stand(standing: Standing | undefined): void {
    this.#standing = standing;
    if (standing?.table) this.#table = clone(TableSchema, standing.table);
  }

  #oneAtATime<T>(ask: () => Promise<T>): Promise<T> {
    const asked = this.#before.then(ask);
    this.#before = asked.catch(() => {});
    return asked;
  }
}
