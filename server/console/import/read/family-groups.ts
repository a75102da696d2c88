import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { GroupRules } from './family-tokens.js';

/** The groups a source offers, from its options; nothing that cannot be read grants a group. */
export function groupRulesOf(options: ReadonlyMap<string, string>): GroupRules {
  const usable = parseJson(options.get('UserUsableGroups') ?? '');
  const automatic = parseJson(options.get('AutoGroups') ?? '');
  const special = parseJson(options.get('group_ratio_setting.group_special_usable_group') ?? '');
  return {
    usable: new Set(isJsonObject(usable) ? Object.keys(usable) : ['default', 'vip']),
    automatic: Array.isArray(automatic) ? automatic.map(String) : ['default'],
    special: new Map(
      Object.entries(isJsonObject(special) ? special : {}).map(([group, rules]) => {
        const names = isJsonObject(rules) ? Object.keys(rules) : [];
        const startingWith = (sign: string): Set<string> =>
          new Set(names.filter((name) => name.startsWith(sign)).map((name) => name.slice(sign.length)));
        const plain = names.filter((name) => !/^[+-]:/.test(name));
        return [group, { added: new Set([...startingWith('+:'), ...plain]), removed: startingWith('-:') }];
      }),
    ),
  };
}
