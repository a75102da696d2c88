import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { STATUS_OF_KIND } from '../../server/relay-core/model/status-of-kind.js';
import { REFUSALS } from '../../server/relay-core/model/refusals.js';

const root = join(import.meta.dirname, '../..');

/** Messages about malformed requests are written where they are read. */
const isKept = (kind: string): boolean => kind in STATUS_OF_KIND && kind !== 'invalid-request';

/** Places that turn a vendor's message, or a message of the catalogue chosen before, into a failure. */
const TAKEN_FROM_ELSEWHERE: Readonly<Record<string, number>> = {
  'server/gateway/channels/probing/probe-ports.ts': 1,
  'server/relay-core/pipeline/request/overrides/param-override.ts': 1,
};

/** Sentences of refusals: objects with the kind of one, or spread from another, and words of their own. */
function sentencesIn(text: string): number {
  let found = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && speaks(node)) found += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest));
  return found;
}

function speaks({ properties }: ts.ObjectLiteralExpression): boolean {
  const member = (name: string) =>
    properties.find((one) => one.name !== undefined && ts.isIdentifier(one.name) && one.name.text === name);
  const valueOf = (property: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined =>
    property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  const [kind, message] = [member('kind'), member('message')];
  if (message === undefined) return false;
  const named = valueOf(kind);
  if (named !== undefined && ts.isStringLiteral(named)) return isKept(named.text);
  const words = valueOf(message);
  if (words === undefined) return false;
  const isSaid = ts.isStringLiteralLike(words) || (ts.isTemplateExpression(words) && words.head.text !== '');
  if (!isSaid) return false;
  return kind !== undefined || properties.some(ts.isSpreadAssignment);
}

describe('server/relay-core/model/refusals.ts', () => {
  it('has the sentence of every refusal but of what is wrong with a request', () => {
    const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.spec.ts'));
    const left = files
      .map((file) => [file, sentencesIn(readFileSync(join(root, file), 'utf8'))] as const)
      .filter(([, count]) => count > 0);
    expect(Object.fromEntries(left)).toEqual(TAKEN_FROM_ELSEWHERE);
  });

  it('notices a sentence that stands elsewhere', () => {
    expect(sentencesIn(`fail({ kind: 'forbidden', blame: 'caller', message: 'No.' })`)).toBe(1);
    expect(sentencesIn(`fail({ kind: 'forbidden', blame: 'caller', message })`)).toBe(1);
    expect(sentencesIn(`fail({ kind: 'upstream-broken', blame: 'upstream', message: 'No.' })`)).toBe(1);
    expect(sentencesIn(`fail({ kind, blame: 'caller', message: 'No.' })`)).toBe(1);
    expect(sentencesIn(`fail({ ...refusal('no-channel'), message: 'No.' })`)).toBe(1);
    expect(sentencesIn(`fail({ kind: 'invalid-request', blame: 'caller', message: 'No.' })`)).toBe(0);
    expect(sentencesIn(`fail({ ...refusal('no-channel'), kind })`)).toBe(0);
  });

  it('has no sentence twice', () => {
    const sentences = Object.values(REFUSALS).map(({ message: says }) => says);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});
