import ts from 'typescript';

export const MOST_PARAMETERS = 5;

/** Constructors from before the rule, by file and class. Only ever shorter. */
export const LONG_CONSTRUCTORS = new Set([
  'server/infra/health/platform-metrics.ts PlatformMetrics',
  'server/modules/billing/engine/money.service.ts MoneyService',
  'server/modules/billing/holds/live-hold.ts LiveHold',
  'server/modules/options/options.service.ts OptionsService',
  'server/modules/relay/call-runner.ts ActiveCall',
  'server/modules/relay/fast-path/fast-path.ts PlainCall',
  'server/relay-core/pipeline/run-call.ts RunningCall',
]);

/** Injected by type: classes that are all different cannot be exchanged by mistake. */
function isInjected(node) {
  if ((ts.getDecorators(node.parent) ?? []).length === 0) return false;
  const types = node.parameters.map(({ type }) =>
    type && ts.isTypeReferenceNode(type) ? type.getText() : '',
  );
  return types.every((type) => /^[A-Z]\w*$/.test(type)) && new Set(types).size === types.length;
}

/**
 * Constructors that take too much by position: pairs of equal types can be exchanged, and a reader has to count.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, name: string }[]}
 */
export function longConstructors(path, text) {
  if (!/\bconstructor\(/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found = [];
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > MOST_PARAMETERS && !isInjected(node)) {
      const name = node.parent.name?.text ?? 'class';
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ line, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
