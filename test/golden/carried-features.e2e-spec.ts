import { describe, expect, it } from '@jest/globals';
import {
  NO_WORDS,
  probeReply,
  probeRequest,
  probeStream,
  REPLY_FEATURES,
  REQUEST_FEATURES,
} from '../../scripts/probe-features.mjs';
import { plainCall, formatsOf } from '../../scripts/render-providers.mjs';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import { openFramer } from '../../server/relay-core/framing/open-framer.js';
import { ReplyCollector, replyToEvents } from '../../server/relay-core/pipeline/reply/collect-reply.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import type { UpstreamFormat, ClientFormat } from '../../server/relay-core/formats/contract/api-format.js';

const registries = { dialects: DIALECTS, providers: PROVIDERS };
const { client } = formatsOf<ClientFormat<'chat'>>('chat', registries);
const { everyUpstream } = formatsOf<UpstreamFormat<'chat'>>('chat', registries);
const tools = { openFramer, ReplyCollector, replyToEvents };

/** Made from the registries: a new format is tested by existing. */
describe('what is asked is carried to every format, or named in a warning', () => {
  it.each(
    // A vendor that writes a format in its own way is looked at by itself.
    everyUpstream.flatMap((apiFormat, form) =>
      REQUEST_FEATURES.map(
        (feature) => [`${apiFormat.id} (${form})`, feature.title, apiFormat, feature] as const,
      ),
    ),
  )('%s: %s', (_wire, _title, apiFormat, feature) => {
    expect(probeRequest(apiFormat, feature)).not.toMatchObject({ verdict: 'silent' });
  });
});

describe('answers arrive in every dialect', () => {
  const cells = client.flatMap((apiFormat) =>
    REPLY_FEATURES.map((feature) => [apiFormat.id, feature.title, apiFormat, feature] as const),
  );

  it.each(cells)('%s: %s', (_wire, title, apiFormat, feature) => {
    const survives = probeReply(apiFormat, feature, plainCall(apiFormat));
    expect(survives).toBe(NO_WORDS[apiFormat.id]?.[title] === undefined);
  });

  it.each(cells.filter(([, , apiFormat]) => apiFormat.openReplyWriter !== undefined))(
    '%s, streamed: %s',
    (_wire, title, apiFormat, feature) => {
      const survives = probeStream(apiFormat, feature, plainCall(apiFormat), tools);
      expect(survives).toBe(NO_WORDS[apiFormat.id]?.[title] === undefined);
    },
  );
});
