import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { type RelayOptions, RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { OptionsService } from '../options/options.service.js';

/** Appendix A of the security reference. */
const FIRST_BYTE_TIMEOUT_MS = 120_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** More would only multiply load (RLY-11). */
const MAX_RETRIES = 5;

/** The relay's view of the options: one frozen object per revision, so that a call reads it without work. */
@Injectable()
export class OptionRelayOptions extends RelayOptionsSource {
  private compiled: RelayOptions;

  constructor(
    private readonly options: OptionsService,
    private readonly env: Env,
  ) {
    super();
    this.compiled = this.compile();
    options.onChange(() => {
      this.compiled = this.compile();
    });
  }

  override current(): RelayOptions {
    return this.compiled;
  }

  private compile(): RelayOptions {
    const values = this.options.values();
    const filtersWords = values.CheckSensitiveEnabled && values.CheckSensitiveOnPromptEnabled;
    return Object.freeze({
      revision: this.options.revision,
      retryTimes: Math.min(values.RetryTimes, MAX_RETRIES),
      passThroughRequests: values['global.pass_through_request_enabled'],
      pingEnabled: values['general_setting.ping_interval_enabled'],
      pingIntervalMs: values['general_setting.ping_interval_seconds'] * 1_000,
      preConsumedTokens: values.PreConsumedQuota,
      logConsumption: values.LogConsumeEnabled,
      logErrors: this.env.errorLogEnabled,
      sensitiveWords: filtersWords ? values.SensitiveWords : [],
      firstByteTimeoutMs: FIRST_BYTE_TIMEOUT_MS,
      idleTimeoutMs: this.env.streamingTimeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
  }
}
