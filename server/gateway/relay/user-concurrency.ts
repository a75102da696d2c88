import { fail, type Result } from '../../common/result.js';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import type { RateWindow } from '../../relay-core/ports/quota-holds.js';
import type { ConcurrencyLimits } from './concurrency-limits.js';

const RETRY_AFTER_MS = 1_000;

/** Admission control as one call sees it: the first to know the caller, so the place where the number of calls of one user is held. */
export class UserConcurrency implements AdmissionControl {
  private userId: number | undefined;
  private admitted: Caller | undefined;

  constructor(
    private readonly admission: AdmissionControl,
    private readonly gates: ConcurrencyLimits,
  ) {}

  /** Who calls; undefined until the pipeline knows. */
  get caller(): Caller | undefined {
    return this.admitted;
  }

  admit(caller: Caller, shape: CallShape): Result<readonly RateWindow[], RelayError> {
    if (this.userId === undefined) {
      if (!this.gates.acquireUser(caller.userId)) {
        return fail({ ...refusal('account-busy'), retryAfterMs: RETRY_AFTER_MS });
      }
      this.userId = caller.userId;
    }
    this.admitted = caller;
    return this.admission.admit(caller, shape);
  }

  countRequest(caller: Caller): ReturnType<AdmissionControl['countRequest']> {
    return this.admission.countRequest(caller);
  }

  recordSuccess(caller: Caller): void {
    this.admission.recordSuccess(caller);
  }

  /** The call is over. */
  leave(): void {
    if (this.userId !== undefined) this.gates.releaseUser(this.userId);
  }
}
