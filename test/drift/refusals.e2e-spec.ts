import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { OPENAI_ERROR_ROWS } from '../../server/relay-core/dialects/openai-error.js';
import { REFUSALS } from '../../server/relay-core/model/refusals.js';

const root = join(import.meta.dirname, '../..');

/** What upstreams did, and what is wrong with a request, is said where it is found out. */
const isOwn = (kind: string): boolean =>
  kind in OPENAI_ERROR_ROWS && !kind.startsWith('upstream-') && kind !== 'invalid-request';

/** Sentences of refusals that stand in the code and not in the catalogue. This list only gets shorter. */
const NOT_YET: Readonly<Record<string, number>> = {
  'server/modules/billing/holds/pooled-quota-holds.ts': 1,
  'server/modules/channels/probing/channel-probe.service.ts': 1,
  'server/modules/channels/probing/probe-ports.ts': 1,
  'server/modules/channels/probing/upstream-model-list.ts': 1,
  'server/modules/playground/playground-callers.ts': 1,
  'server/modules/relay-http/request-checks.ts': 1,
  'server/modules/tasks/image-seeds.ts': 2,
  'server/modules/tasks/stored-task-origins.ts': 1,
  'server/relay-core/dialects/anthropic.ts': 1,
  'server/relay-core/dialects/gemini.ts': 1,
  'server/relay-core/dialects/openai.ts': 1,
  'server/relay-core/pipeline/reply/extend-hold.ts': 1,
  'server/relay-core/pipeline/reply/reply-errors.ts': 2,
  'server/relay-core/pipeline/stages/stored-id-check.ts': 3,
  'server/relay-core/providers/registry.ts': 1,
  'server/relay-core/providers/shared/google-error.ts': 1,
};

/** Objects with the kind of a refusal and a sentence of their own. */
function sentencesIn(text: string): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const valueOf = (name: string): ts.Expression | undefined =>
        node.properties
          .filter(ts.isPropertyAssignment)
          .find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;
      const kind = valueOf('kind');
      const hasMessage = node.properties.some(
        ({ name }) => name !== undefined && ts.isIdentifier(name) && name.text === 'message',
      );
      if (kind !== undefined && ts.isStringLiteral(kind) && isOwn(kind.text) && hasMessage) found += 1;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest));
  return found;
}

describe('server/relay-core/model/refusals.ts', () => {
  it('has the sentence of every refusal that the gateway itself makes', () => {
    const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.spec.ts'));
    const left = files
      .map((file) => [file, sentencesIn(readFileSync(join(root, file), 'utf8'))] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(left)).toEqual(NOT_YET);
  });

  it('notices a sentence that stands elsewhere', () => {
    expect(sentencesIn(`fail({ kind: 'forbidden', blame: 'caller', message: 'No.' })`)).toBe(1);
    expect(sentencesIn(`fail({ kind: 'forbidden', blame: 'caller', message })`)).toBe(1);
    expect(sentencesIn(`fail({ ...refusal('no-channel'), message: 'No.' })`)).toBe(0);
  });

  it('says nothing twice', () => {
    const sentences = Object.values(REFUSALS).map(({ says }) => says);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
