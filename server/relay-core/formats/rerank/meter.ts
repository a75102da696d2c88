import type { Usage } from '../../model/usage.js';
import type { Document } from '../shared/fields/json-fields.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import { key, parseSpan, JsonEventMeter } from '../shared/metering/json-event-meter.js';
import type { ParsedCall } from '../contract/api-format.js';
import { readRerankUsage, readSearchUnits } from './usage.js';

const RESULTS = key('results');
const DATA = key('data');
const OUTPUT = key('output');
const USAGE = key('usage');
const META = key('meta');
const OPEN_ARRAY = 0x5b;

/** A vendor's search: one question and up to so many pieces of documents, each of about so many tokens. */
const PIECES_PER_SEARCH = 100;
const TOKENS_PER_PIECE = 250;

/** Meter of rerank replies of all vendors. */
export class RerankMeter extends JsonEventMeter {
  private isAnswer = false;

  /** @param trustsUsage  false: the vendor's figures are ignored, ours are charged */
  constructor(
    private readonly call: ParsedCall<'rerank'>,
    private readonly trustsUsage = true,
  ) {
    super();
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.isAnswer = false;
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (!this.isAnswer) return this.failedWith(parseSpan(body, 0, body.length));
    this.hasFinish = true;
    return 'answer';
  }

  /** For vendors that report no tokens: the request counts as read. */
  override ownCount(): Usage {
    return { input: { total: this.call.shape.promptTokens }, output: { total: 0 } };
  }

  private readonly member = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(RESULTS) || cursor.keyIs(DATA)) this.results();
    else if (cursor.keyIs(OUTPUT)) this.members(this.inside);
    else if (cursor.keyIs(USAGE)) this.report({ usage: this.takeValue() });
    else if (cursor.keyIs(META)) this.report({ meta: this.takeValue() });
    else cursor.skipValue();
  };

  private readonly inside = (): void => {
    if (this.cursor.keyIs(RESULTS)) this.results();
    else this.cursor.skipValue();
  };

  /** An empty list is an answer too: nothing fitted. */
  private results(): void {
    if (this.cursor.peek() === OPEN_ARRAY) this.isAnswer = true;
    this.cursor.skipValue();
  }

  private report(document: Document): void {
    if (!this.trustsUsage) return;
    const searches = readSearchUnits(document);
    if (searches !== undefined && searches <= this.mostSearches()) this.units = searches;
    this.takeUsage(readRerankUsage(document));
  }

  /** More searches than these documents can be cut into are not believed. */
  private mostSearches(): number {
    const request = this.call.neutral();
    const documents = request.ok ? request.value.documents.length : 1;
    const pieces = documents + this.call.shape.promptTokens / TOKENS_PER_PIECE;
    return 1 + Math.ceil(pieces / PIECES_PER_SEARCH);
  }
}
