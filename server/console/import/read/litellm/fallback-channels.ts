import { type Sentence, sentence } from '../../../../common/import-sentences/sentence.js';
import type { SourceNote } from '../../source/records.js';
import type { LitellmModel } from './litellm-channels.js';
import type { Fallback } from './router-settings.js';

const LENGTH = 191;

/**
 * Channels that serve a model when its own fail: those of its fallback, under its name, with a lower priority. A deployment with limits
 * gets none: its channels would count apart, and allow more.
 */
export function fallbackChannels(
  models: readonly LitellmModel[],
  {
    fallbacks,
    isPriced,
  }: { readonly fallbacks: readonly Fallback[]; readonly isPriced: (name: string) => boolean },
  notes: SourceNote[],
): LitellmModel[] {
  const known = new Set(models.flatMap(({ names }) => names));
  const wanted = new Map<string, string[]>();
  for (const { from, to } of fallbacks)
    for (const name of from === '*' ? known : [from])
      if (known.has(name))
        wanted.set(
          name,
          [...new Set([...(wanted.get(name) ?? []), ...to])].filter((each) => each !== name),
        );
  const added: LitellmModel[] = [];
  for (const [name, targets] of wanted)
    for (const [place, target] of targets.entries()) {
      const serving = models.filter(({ names }) => names.includes(target));
      for (const model of serving) {
        const { channel } = model;
        if (model.limits.length > 0) {
          notes.push({
            kind: 'left-out',
            table: 'router_settings',
            id: name,
            sentence: sentence('fallback_has_limits', { channel: channel.name }),
          });
          continue;
        }
        added.push(fallbackOf(model, { name, target }, place));
      }
      notes.push(
        serving.length === 0
          ? {
              kind: 'left-out',
              table: 'router_settings',
              id: name,
              sentence: sentence('fallback_unknown', { target }),
            }
          : {
              kind: 'changed',
              table: 'router_settings',
              id: name,
              sentence: priceSentence({ name, target }, isPriced),
            },
      );
    }
  return added;
}

function priceSentence(
  { name, target }: { readonly name: string; readonly target: string },
  isPriced: (name: string) => boolean,
): Sentence {
  if (!isPriced(name)) return sentence('fallback_without_price', { target });
  return isPriced(target)
    ? sentence('fallback_costs_own_price', { target })
    : sentence('fallback_target_without_price', { name, target });
}

function fallbackOf(
  model: LitellmModel,
  { name, target }: { readonly name: string; readonly target: string },
  place: number,
): LitellmModel {
  const { channel } = model;
  const { fields } = channel;
  const mapping = JSON.parse(String(fields['model_mapping'] || '{}')) as Record<string, string>;
  return {
    names: [],
    inputCost: null,
    outputCost: null,
    limits: [],
    channel: {
      ...channel,
      sourceId: `${channel.sourceId}:fallback:${name}`.slice(0, LENGTH),
      name: `${channel.name}, fallback of ${name}`,
      fields: {
        ...fields,
        models: name,
        model_mapping: JSON.stringify({ [name]: mapping[target] ?? target }),
        // Below every deployment of the model itself.
        priority: Math.min(0, Number(fields['priority'])) - 100 - place,
      },
    },
  };
}
