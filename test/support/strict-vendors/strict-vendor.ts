import type { ServerResponse } from 'node:http';
import type { VendorRequest } from '../vendor-request.js';
import { ScriptedVendor } from '../../e2e/vendors/media/scripted-vendor.js';
import type { StrictGrammar, VendorFailure } from './strict-grammar.js';
import {
  AGENT_STORY,
  object,
  Refusal,
  type FailureKind,
  type Json,
  type Story,
  type Understood,
} from './story.js';

/** Finds the story a request belongs to. */
export type StoryOf = (body: Json) => Story;

/** Serves the story in one grammar and keeps what it understood. */
export class StrictVendor {
  readonly understood: Understood[] = [];
  readonly refusals: string[] = [];
  /** End of answers: whole, broken off in the middle, or never. */
  ending: 'whole' | 'cut' | 'stalled' = 'whole';
  /** Status of refusals that come before any answer; undefined = none. */
  failing: number | undefined;

  private constructor(
    readonly vendor: ScriptedVendor,
    private readonly grammar: StrictGrammar,
    private readonly storyOf: StoryOf,
  ) {}

  static async start(
    grammar: StrictGrammar,
    paths: readonly string[],
    storyOf: StoryOf = () => AGENT_STORY,
  ): Promise<StrictVendor> {
    // It refuses requests its story does not allow by itself, and lists them in `refusals`.
    const vendor = await ScriptedVendor.start({ isLenient: true });
    const strict = new StrictVendor(vendor, grammar, storyOf);
    for (const path of paths) strict.vendor.on(path, (request, response) => strict.serve(request, response));
    return strict;
  }

  get url(): string {
    return this.vendor.url;
  }

  forget(): void {
    this.understood.length = 0;
    this.refusals.length = 0;
    this.ending = 'whole';
    this.failing = undefined;
  }

  /** Thoughts of the open round that came back in the request of a turn, out of as many as there could be. */
  signaturesAt(turn: number): readonly [number, number] {
    const turns = this.understood.findLast((one) => one.turns.length === turn)?.turns ?? [];
    const due = AGENT_STORY.openRound(turn);
    return [turns.slice(turn - due).filter(({ signatures }) => signatures > 0).length, due];
  }

  private failureOf(kind: FailureKind | undefined): VendorFailure | undefined {
    return kind === undefined ? undefined : this.grammar.failures?.[kind];
  }

  private serve(request: VendorRequest, response: ServerResponse): void {
    const sent = object(JSON.parse(request.body.toString('utf8')));
    const body = this.grammar.restore?.(sent) ?? sent;
    if (this.failing !== undefined) {
      response.writeHead(this.failing, { 'content-type': 'application/json' });
      response.end(JSON.stringify(this.grammar.refusal(`vendor words ${this.failing}`)));
      return;
    }
    const story = this.storyOf(body);
    const failure = story.failure === 'cut' ? undefined : this.failureOf(story.failure);
    if (failure !== undefined) {
      response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers });
      response.end(JSON.stringify(failure.body));
      return;
    }
    const ending = story.failure === 'cut' ? 'cut' : this.ending;
    if (ending !== 'whole') halve(response, ending);
    try {
      const understood = this.grammar.understand(body, request, story);
      story.checkHistory(understood.turns);
      this.understood.push(understood);
      const step = story.stepAt(understood.turns.length, understood);
      this.grammar.answer({ ...understood, step, story, body }, response);
    } catch (fault) {
      const message = fault instanceof Refusal ? fault.message : `the vendor fell over: ${String(fault)}`;
      this.refusals.push(message);
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(this.grammar.refusal(message)));
    }
  }
}

/** Lets only half of what is written last through. */
function halve(response: ServerResponse, ending: 'cut' | 'stalled'): void {
  const half = (written: unknown): ServerResponse => {
    const bytes = Buffer.isBuffer(written) ? written : Buffer.from(String(written));
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (ending === 'cut') response.destroy();
    });
    return response;
  };
  response.end = half;
}
