/**
 * Checks the first line of a commit message: `type(scope): imperative`, at most 72 characters, no semicolon. Called by
 * scripts/hooks/commit-msg with the file of the message. Plain ES2022 for any Node from 20.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAX_CHARACTERS = 72;
const TYPES = ['feat', 'fix', 'docs', 'test', 'refactor', 'perf', 'build', 'ci', 'chore', 'style'];
const FORM = new RegExp(String.raw`^(?:${TYPES.join('|')})(?:\([a-z0-9,-]+\))?!?: (?<summary>\S.*)$`);
/** Beginnings of a summary that is no imperative. */
const NO_VERB = /^(?:a|an|the|what|who|where|how)\b/i;
/** Subjects that git writes itself. */
const EXEMPT = /^(?:Merge|Revert|fixup!|squash!|amend!) /;

/**
 * @param {string} message of a commit, with its body and comments
 * @returns {string | undefined} the first fault; undefined = none
 */
export function subjectFault(message) {
  const subject = message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (EXEMPT.test(subject)) return undefined;
  const length = [...subject].length;
  if (length > MAX_CHARACTERS) return `${length} characters, at most ${MAX_CHARACTERS}`;
  const summary = FORM.exec(subject)?.groups?.summary;
  if (summary === undefined) return `write "type(scope): imperative", with a type of ${TYPES.join(', ')}`;
  if (summary.includes(';')) return 'one change, without a semicolon';
  if (NO_VERB.test(summary)) return 'begin with a verb in the imperative';
  return undefined;
}

const [, program, file] = process.argv;
if (program !== undefined && file !== undefined && realpathSync(program) === fileURLToPath(import.meta.url)) {
  const fault = subjectFault(readFileSync(file, 'utf8'));
  if (fault !== undefined) {
    process.stderr.write(`commit subject: ${fault}\n`);
    process.exitCode = 1;
  }
}
