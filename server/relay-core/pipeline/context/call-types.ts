import type { ClientFormat, ParsedCall } from '../../formats/contract/api-format.js';
import type { OutputLimits } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { ProviderOperation } from '../../providers/provider.js';
import type { ToolNames } from '../../formats/shared/fields/tool-names.js';
import type { PathPlan } from '../request/attempt-plan.js';
import type { CallParts } from '../request/parts-exchange.js';
import type { FindPoll } from '../request/polling-exchange.js';

/** A call the dialect understood, with the format it is written in. */
export interface ClientCall<O extends Operation> {
  readonly apiFormat: ClientFormat<O>;
  readonly parsed: ParsedCall<O>;
}

/** A call ready to leave for one channel. */
export interface TranslatedCall<O extends Operation> {
  readonly request: UpstreamRequest;
  readonly operation: ProviderOperation<O>;
  /** The route, with the model's name as the vendor knows it. */
  readonly route: Route;
  readonly plan: PathPlan;
  readonly warnings: readonly Warning[];
  /** Output that the finished request allows the vendor. */
  readonly sent: OutputLimits;
  /** For vendors that answer later. */
  readonly follow?: FindPoll;
  /** For calls with more items than the vendor takes in one; `request` is the first of them. Absent = the call is one request. */
  readonly parts?: CallParts;
  /** Tools whose arguments come in objects their callers did not ask for; absent = none. */
  readonly wrapped?: ReadonlySet<string>;
  /** The caller's names of tools, by those the vendor was given instead; absent = it was given the caller's. */
  readonly toolNames?: ToolNames;
}
