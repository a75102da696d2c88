import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import {
  type ClaudeOptions,
  type GeminiOptions,
  type RelayOptions,
  RelayOptionsSource,
} from '../../../relay-core/ports/relay-options.js';
import { prefersNative } from '../../../base/options/groups.js';
import type { OptionValues } from '../../../base/options/option-catalogue.js';
import { OptionsService } from '../../../base/options/options.service.js';

/** Defaults where the operator set nothing: longest wait for the first byte, largest reply. */
const FIRST_BYTE_TIMEOUT_MS = 120_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** More would only multiply load. */
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
      retryTimes: Math.min(values.RetryTimes, MAX_RETRIES),
      passThroughRequests: values['global.pass_through_request_enabled'],
      prefersNative: (group: string) => prefersNative(values, group),
      retryStatuses: values.AutomaticRetryStatusCodes,
      thinkingBlacklist: values['global.thinking_model_blacklist'],
      pingEnabled: values['general_setting.ping_interval_enabled'],
      pingIntervalMs: values['general_setting.ping_interval_seconds'] * 1_000,
      logErrors: this.env.errorLogEnabled,
      sensitiveWords: filtersWords ? values.SensitiveWords : [],
      firstByteTimeoutMs: FIRST_BYTE_TIMEOUT_MS,
      idleTimeoutMs: this.env.streamingTimeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      abandonedReadSeconds: values.AbandonedReadSeconds,
      claude: claudeOptions(values),
      gemini: geminiOptions(values),
      drawings: Object.freeze({
        passesNotifyHook: values.MjNotifyEnabled,
        passesAccountFilter: values.MjAccountFilterEnabled,
        clearsModes: values.MjModeClearEnabled,
      }),
    });
  }
}

const claudeOptions = (values: OptionValues): ClaudeOptions =>
  Object.freeze({
    defaultMaxTokens: values['claude.default_max_tokens'],
    headers: values['claude.model_headers_settings'],
    isThinkingAdapterOn: values['claude.thinking_adapter_enabled'],
    thinkingBudgetShare: values['claude.thinking_adapter_budget_tokens_percentage'],
  });

const geminiOptions = (values: OptionValues): GeminiOptions =>
  Object.freeze({
    safetySettings: values['gemini.safety_settings'],
    versions: values['gemini.version_settings'],
    imageModels: values['gemini.supported_imagine_models'],
    isThinkingAdapterOn: values['gemini.thinking_adapter_enabled'],
    thinkingBudgetShare: values['gemini.thinking_adapter_budget_tokens_percentage'],
    addsThoughtSignatures: values['gemini.function_call_thought_signature_enabled'],
    dropsFunctionResponseIds: values['gemini.remove_function_response_id_enabled'],
  });
