import { describe, expect, it } from '@jest/globals';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest } from '../../model/chat.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import { signAwsRequest, type AwsCredentials } from './signing.js';
import { bedrock } from './provider.js';
import { readBedrockCredential } from './credential.js';
import { bedrockModelId } from './models.js';
import { findOperation, type ProviderCall } from '../provider.js';

const KEY = 'AKIDEXAMPLE12345|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1';
const NOW_MS = Date.UTC(2026, 10, 21, 15, 4, 5);

const route = (extra: Partial<Route> = {}): Route => ({
  channelId: 1,
  channelName: 'aws',
  channelType: 33,
  baseUrl: '',
  credential: KEY,
  organization: '',
  other: '',
  upstreamModel: 'amazon.nova-pro-v1:0',
  isModelMapped: false,
  paramOverride: undefined,
  headerOverride: undefined,
  statusMapping: undefined,
  settings: {},
  autoBan: true,
  ...extra,
});

const callOf = (extra: Partial<Route> = {}, stream = false, clientFormat = 'openai-chat'): ProviderCall => ({
  route: route(extra),
  shape: { operation: 'chat', model: 'm', stream } as CallShape,
  options: {
    claude: {
      defaultMaxTokens: { default: 8192 },
      headers: {},
      isThinkingAdapterOn: true,
      thinkingBudgetShare: 0.8,
    },
  } as unknown as RelayOptions,
  clientFormat,
  vendorHeaders: undefined,
});

const CHAT: ChatRequest = {
  messages: [],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  vendorOptions: {},
};

/** The address of a call, its model named as the vendor knows it. */
function addressOf(call: ProviderCall): string {
  const operation = findOperation(bedrock, 'chat', call);
  const upstreamModel = operation?.adapt?.(call)?.upstreamModel ?? call.route.upstreamModel;
  const address = operation?.address({ ...call, route: { ...call.route, upstreamModel } });
  return address === undefined ? 'not served' : address.ok ? address.value : address.error.message;
}

describe('SigV4', () => {
  const credentials: AwsCredentials = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  };

  it.each([
    [
      'POST',
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-7-sonnet-20250219-v1%3A0/converse',
      '{"a":"ü"}',
    ],
    [
      'POST',
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A123456789012%3Ainference-profile%2Fx/converse-stream',
      '',
    ],
    ['POST', 'http://127.0.0.1:8123/under/a%20path/model/x!y/invoke', '{}'],
    [
      'GET',
      'https://bedrock.us-west-2.amazonaws.com/foundation-models?byProvider=a%20b&byInferenceType=ON_DEMAND',
      undefined,
    ],
    ['GET', 'https://bedrock.us-west-2.amazonaws.com/models?by-type=b&by=c&by!=%2F', undefined],
  ])('signs %s %s as AWS’s own package does', async (method, address, body) => {
    for (const sessionToken of [undefined, 'token/with+signs=']) {
      const given = { ...credentials, ...(sessionToken === undefined ? {} : { sessionToken }) };
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/vnd.amazon.eventstream',
        'user-agent': 'tollgate',
        'x-odd': '  two   blanks ',
      };
      const scope = { region: 'us-east-1', service: 'bedrock' };
      const ours = signAwsRequest({ method, url: address, headers, body: bytes }, given, scope, NOW_MS);
      const url = new URL(address);
      const signer = new SignatureV4({ credentials: given, ...scope, sha256: Sha256 });
      const theirs = await signer.sign(
        {
          method,
          protocol: url.protocol,
          hostname: url.hostname,
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: { ...headers, host: url.host },
          body: bytes,
        },
        { signingDate: new Date(NOW_MS) },
      );
      expect(ours['authorization']).toBe(theirs.headers['authorization']);
      expect(ours['x-amz-date']).toBe(theirs.headers['x-amz-date']);
      expect(ours['x-amz-content-sha256']).toBe(theirs.headers['x-amz-content-sha256']);
      expect(ours['x-amz-security-token']).toBe(sessionToken);
    }
  });
});

describe('keys of Bedrock channels', () => {
  it.each([
    [' AK | SK | eu-west-3 ', { type: 'signed', region: 'eu-west-3' }],
    [
      'AK|SK|us-gov-west-1|token',
      { type: 'signed', region: 'us-gov-west-1', credentials: { sessionToken: 'token' } },
    ],
    [
      'bedrock-api-key|ap-southeast-2',
      { type: 'api-key', region: 'ap-southeast-2', apiKey: 'bedrock-api-key' },
    ],
  ])('%j', (credential, expected) => {
    expect(readBedrockCredential(credential)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    ['AK', 'must read'],
    ['AK|SK', 'region'],
    ['AK||us-east-1', 'secret'],
    ['|SK|us-east-1', 'first part'],
    ['AK|SK|', 'region'],
    ['AK|SK|evil.example/x', 'region'],
    ['a|b|us-east-1|d|e', 'must read'],
  ])('%j names the part that is wrong', (credential, words) => {
    const read = readBedrockCredential(credential);
    expect(read.ok ? '' : read.error.message).toContain(words);
    expect(addressOf(callOf({ credential }))).toContain(words);
  });
});

describe('models of Bedrock', () => {
  it.each([
    ['claude-3-haiku-20240307', 'us-east-1', '', 'us.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-5-sonnet-20241022', 'eu-west-1', '', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-sonnet-4-5-20250929', 'eu-central-1', '', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-opus-4-8', 'ap-northeast-1', 'auto', 'global.anthropic.claude-opus-4-8'],
    ['claude-opus-4-6', 'us-west-2', 'none', 'anthropic.claude-opus-4-6-v1'],
    ['claude-opus-4-6', 'us-west-2', 'global.', 'global.anthropic.claude-opus-4-6-v1'],
    ['nova-lite-v1:0', 'ap-south-1', '', 'apac.amazon.nova-lite-v1:0'],
    ['us.anthropic.claude-opus-4-8', 'eu-west-1', '', 'us.anthropic.claude-opus-4-8'],
    ['mistral.mistral-large-2407-v1:0', 'us-east-1', '', 'mistral.mistral-large-2407-v1:0'],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/x',
      'us-east-1',
      'us',
      'arn:aws:bedrock:us-east-1:1:inference-profile/x',
    ],
    ['amazon.titan-embed-text-v2:0', 'us-east-1', '', 'amazon.titan-embed-text-v2:0'],
    ['nova-pro-v1:0', 'us-gov-west-1', '', 'amazon.nova-pro-v1:0'],
  ])('%s in %s with %j is %s', (name, region, setting, expected) => {
    expect(bedrockModelId(name, region, setting)).toBe(expected);
  });
});

describe('addresses of Bedrock', () => {
  it.each([
    [callOf(), 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-pro-v1%3A0/converse'],
    [
      callOf({}, true),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-pro-v1%3A0/converse-stream',
    ],
    [
      callOf({ upstreamModel: 'claude-opus-4-8' }, true, 'anthropic-messages'),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-opus-4-8/invoke-with-response-stream',
    ],
    [
      callOf({ upstreamModel: 'claude-opus-4-8' }, false, 'anthropic-messages'),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-opus-4-8/invoke',
    ],
    [
      callOf({}, false, 'anthropic-messages'),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova-pro-v1%3A0/converse',
    ],
    [
      callOf({ credential: 'key|cn-north-1' }),
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/amazon.nova-pro-v1%3A0/converse',
    ],
    [
      callOf({ settings: { vendor: { aws_inference_profile: 'global' } }, other: 'none' }),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/global.amazon.nova-pro-v1%3A0/converse',
    ],
    [
      callOf({ baseUrl: 'https://vpce.example/aws/' }),
      'https://vpce.example/aws/model/us.amazon.nova-pro-v1%3A0/converse',
    ],
    [
      callOf({ upstreamModel: '../../x?y#z', other: 'none' }),
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/..%2F..%2Fx%3Fy%23z/converse',
    ],
  ])('%#', (call, expected) => {
    expect(addressOf(call)).toBe(expected);
  });

  it('names of Claude that ask for thinking lose their ending, whatever the way', () => {
    for (const front of ['openai-chat', 'anthropic-messages']) {
      const call = callOf({ upstreamModel: 'claude-sonnet-4-5-20250929-thinking' }, false, front);
      const adaptation = findOperation(bedrock, 'chat', call)?.adapt?.(call);
      expect(adaptation?.upstreamModel).toBe('us.anthropic.claude-sonnet-4-5-20250929-v1:0');
      // The cap is set with the request, by model: the budget leaves room beside it.
      expect(adaptation?.change?.(CHAT)).toMatchObject({ reasoning: { budgetTokens: 6_553 } });
    }
  });

  it('an API key is a Bearer key, and nothing is signed', () => {
    const call = callOf({ credential: 'api-key-of-bedrock|us-east-1' });
    const operation = findOperation(bedrock, 'chat', call);
    expect(operation?.headers(call)).toMatchObject({ authorization: 'Bearer api-key-of-bedrock' });
  });

  it('the model list is asked of the region, signed', () => {
    const address = bedrock.modelListAddress(route());
    expect(address).toMatchObject({ value: expect.stringContaining('https://bedrock.us-east-1.') });
    expect(bedrock.modelListHeaders(route())['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEX/);
    expect(bedrock.readModelList?.({ modelSummaries: [{ modelId: 'a.b' }, { other: 1 }] })).toEqual(['a.b']);
  });
});

describe('failures of Bedrock', () => {
  const read = (status: number, type: string | undefined, body: string) =>
    findOperation(bedrock, 'chat', callOf())?.readError(
      {
        status,
        headers: type === undefined ? {} : { 'x-amzn-errortype': type },
        body: Buffer.from(body),
      },
      route(),
    );

  it.each([
    [400, 'ValidationException:http://internal.example/', 'upstream-request-rejected'],
    [403, 'AccessDeniedException', 'upstream-key-refused'],
    [403, 'UnrecognizedClientException', 'upstream-key-refused'],
    [404, 'ResourceNotFoundException', 'upstream-request-rejected'],
    [408, 'ModelTimeoutException', 'upstream-timeout'],
    [424, 'ModelErrorException', 'upstream-overloaded'],
    [429, 'ThrottlingException', 'upstream-rate-limited'],
    [400, 'ThrottlingException', 'upstream-rate-limited'],
    [429, 'ModelNotReadyException', 'upstream-overloaded'],
    [500, 'InternalServerException', 'upstream-overloaded'],
    [503, 'ServiceUnavailableException', 'upstream-overloaded'],
  ])('%i %s is %s', (status, type, kind) => {
    expect(read(status, type, '{"message":"words"}')).toMatchObject({ kind, vendorType: type.split(':')[0] });
  });

  it('shows the vendor’s sentence without keys and hosts [UP-06]', () => {
    const body = JSON.stringify({
      Message: 'The key AKIDEXAMPLE12345 is wrong at bedrock.us-east-1.amazonaws.com',
    });
    const error = read(400, 'ValidationException', body);
    expect(error?.message).toBe('The key *** is wrong at ***');
  });

  it('understands a failure inside a stream by its name', () => {
    const operation = findOperation(bedrock, 'chat', callOf());
    expect(
      operation?.readErrorDocument({ message: 'slow', type: 'throttlingException' }, route()),
    ).toMatchObject({
      kind: 'upstream-rate-limited',
      message: 'slow',
    });
    const wrapped = { type: 'error', error: { type: 'serviceUnavailableException', message: 'later' } };
    expect(operation?.readErrorDocument(wrapped, route())).toMatchObject({
      kind: 'upstream-overloaded',
      message: 'later',
    });
  });
});
