import { ok, type Result } from '../../../common/result.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import {
  checkInput,
  MAX_OUTPUT_CAP,
  readCallHead,
  readIntegers,
  STEERING_FIELDS,
} from '../shared/fields/request-fields.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { unreadableForm } from '../shared/requests/unreadable-form.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { requestedServiceTier } from '../shared/metering/reported-usage.js';
import { messagesTools } from '../shared/metering/vendor-tools.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { readMessagesRequest } from './read-request.js';
import { readVendorHeaders } from './vendor-headers.js';

const NULL = 0x6e;

/** 0 is allowed: it warms the prompt cache without an answer. */
const CAPS = [
  { name: 'max_tokens', min: 0, max: MAX_OUTPUT_CAP },
  { name: 'max_tokens_to_sample', min: 0, max: MAX_OUTPUT_CAP },
] as const;

/** Members that never leave the gateway. What only makes a call dearer (`service_tier`, `speed`) is the channel's to allow. */
export const FORBIDDEN_FIELDS: readonly string[] = STEERING_FIELDS;

/** The SDK's beta methods mark their address; nothing else of a query passes. */
const BETA_QUERY = /(?:^|&)beta=true(?:&|$)/;

/** Members of a call that the model reads. */
const PROMPT = {
  messages: ['messages'],
  tools: ['tools'],
  inputs: ['system', 'output_config', 'output_format', 'mcp_servers'],
} as const;

/**
 * Understands a Messages request from its top-level members; the messages themselves are read only when the call is
 * translated. `max_tokens` is optional to the gateway: vendors that need it get the operator's default.
 * Fails: invalid-request, with the name of the field.
 */
export function parseMessagesCall(body: Buffer, target: CallTarget): Result<ParsedCall<'chat'>, RelayError> {
  const head = readCallHead(body, target.pathModel);
  if (!head.ok) return head;
  const { document, model, stream } = head.value;
  const caps = readIntegers(document, CAPS);
  if (!caps.ok) return caps;
  const [cap, oldCap] = caps.value;
  const fault = checkInput(document, 'messages', MESSAGES, '[');
  if (fault !== null) return fault;
  const vendorHeaders = readVendorHeaders(target.headers);
  if (!vendorHeaders.ok) return vendorHeaders;
  const shape: CallShape = {
    operation: 'chat',
    model,
    stream,
    outputCap: cap ?? oldCap,
    choices: 1,
    promptTokens: estimateFields(document, PROMPT),
    // Streams of this format always carry usage, inside events that carry other things too.
    wantsStreamUsage: false,
    ...messagesTools(document),
    ...requestedTier(document),
  };
  const call = new ParsedMessagesCall(shape, document, (whole) => readMessagesRequest(whole, shape));
  return ok(
    Object.assign(call, {
      vendorHeaders: vendorHeaders.value,
      ...(BETA_QUERY.test(target.query) ? { vendorQuery: 'beta=true' } : {}),
    }),
  );
}

/** Fast mode is a class of service of its own, asked for by another name. */
const requestedTier = (document: ScannedObject): { readonly serviceTier?: string } =>
  readField(document, 'speed') === 'fast' ? { serviceTier: 'fast' } : requestedServiceTier(document);

class ParsedMessagesCall extends JsonCall<'chat'> {
  untranslatableReason(): RelayError | undefined {
    return findUntranslatableThread(this.document) ?? this.unreadableForm();
  }

  private unreadableForm(): RelayError | undefined {
    const { format } = documentOf(readField(this.document, 'output_config'));
    const path = format == null ? 'output_format' : 'output_config.format';
    const form = format ?? readField(this.document, 'output_format');
    return unreadableForm(path, form, ({ schema }) => [schema, 'schema']);
  }
}

const MESSAGES = {
  missing: 'messages: Field required.',
  unfit: 'messages: Input should be a list of messages.',
  empty: 'messages: At least one message is required.',
};

/**
 * A thread is kept by the vendor: its later turns hold only what is new. Where no vendor keeps it, the official SDKs find
 * this code and send the whole conversation again.
 */
export function findUntranslatableThread({ bytes, members }: ScannedObject): RelayError | undefined {
  const span = members.get('thread');
  if (span === undefined || bytes[span.start] === NULL) return undefined;
  return {
    kind: 'invalid-request',
    blame: 'caller',
    message:
      "thread: the upstream of this model keeps no threads. Send the full conversation without 'thread'.",
    param: 'thread',
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  };
}
