import { rerank, siliconflowRerank, xinferenceRerank } from '../../formats/rerank/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import type { Provider } from '../provider.js';
import type { BuildOperation } from './media-operations.js';
import type { CompatibleId } from '../shared/default-models.js';

interface RankPath {
  readonly path: string;
  readonly apiFormat: UpstreamFormat<'rerank'>;
}

const PLAIN: RankPath = { path: '/v1/rerank', apiFormat: rerank };

/** Where a look-alike ranks documents, by provider id. */
const RANKS: { readonly [Id in CompatibleId]?: RankPath } = {
  openai: PLAIN,
  'new-api': PLAIN,
  moonshot: PLAIN,
  siliconflow: { path: '/v1/rerank', apiFormat: siliconflowRerank },
  xinference: { path: '/v1/rerank', apiFormat: xinferenceRerank },
  volcengine: { path: '/api/v3/rerank', apiFormat: rerank },
  'baidu-v2': { path: '/v2/rerank', apiFormat: rerank },
};

/** The way a look-alike ranks documents, where it does. */
export function rankOperations(providerId: CompatibleId, build: BuildOperation): Provider['operations'] {
  const rank = RANKS[providerId];
  return rank === undefined ? {} : { rerank: [build<'rerank'>(rank.path, rank.apiFormat)] };
}
