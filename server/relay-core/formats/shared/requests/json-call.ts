import { parseExact } from '../../../framing/exact-json.js';
import { SCAN_FLAGS } from '../../../framing/scan-flags.js';
import { fail, type Result } from '../../../../common/result.js';
import type { ScannedObject } from '../../../framing/json-splice.js';
import type { CallShape } from '../../../model/call.js';
import type { Operation } from '../../../model/operation.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { NeutralRequest, ParsedCall } from '../../contract/api-format.js';

/** The shape of a call that has one whole answer without a cap. */
export const WHOLE_ANSWER = {
  stream: false,
  outputCap: undefined,
  choices: 1,
  wantsStreamUsage: false,
} as const satisfies Partial<CallShape>;

/** A call in JSON that was understood from its top-level members; the rest is read when a stage asks, and once. */
export class JsonCall<O extends Operation> implements ParsedCall<O> {
  private request: Result<NeutralRequest<O>, RelayError> | undefined;
  private parsed: unknown;

  constructor(
    readonly shape: CallShape,
    readonly document: ScannedObject,
    private readonly read: (body: unknown) => Result<NeutralRequest<O>, RelayError>,
  ) {}

  neutral(): Result<NeutralRequest<O>, RelayError> {
    this.request ??= this.readOnce();
    return this.request;
  }

  /** The whole body. Fails: throws where the scan let a number or an escape pass that JSON does not know. */
  protected body(): unknown {
    const { bytes, scanFlags = SCAN_FLAGS.longNumber } = this.document;
    const text = bytes.toString('utf8');
    this.parsed ??= (scanFlags & SCAN_FLAGS.longNumber) === 0 ? JSON.parse(text) : parseExact(text);
    return this.parsed;
  }

  private readOnce(): Result<NeutralRequest<O>, RelayError> {
    try {
      return this.read(this.body());
    } catch (cause) {
      return fail({
        kind: 'invalid-request',
        blame: 'caller',
        message: 'We could not parse the JSON body of your request.',
        cause,
      });
    } finally {
      // A stream may last an hour; its request is held once, not twice.
      this.parsed = undefined;
    }
  }
}
