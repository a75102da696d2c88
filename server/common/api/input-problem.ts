/** What zod says of a wrong value, as far as it is passed on. */
export interface InputIssue {
  readonly code?: unknown;
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly input?: unknown;
  readonly errors?: unknown;
}

const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

/** What a size counts, by what it is the size of: one of them, and several. */
const UNITS: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['entry', 'entries']],
  ['set', ['entry', 'entries']],
]);

/** What would be right in the place of a wrong value, in words; empty = nobody knows. */
export function inputProblem(issue: InputIssue | undefined): string {
  if (issue === undefined) return '';
  const words = issueText(issue);
  return words === '' ? '' : ` (${words})`;
}

function issueText(issue: InputIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(TYPES.get(issue.expected));
    case 'invalid_value':
      return Array.isArray(issue.values) && issue.values.length <= 12
        ? `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
        : '';
    case 'too_small':
      return bound('at least', issue.minimum, issue);
    case 'too_big':
      return bound('at most', issue.maximum, issue);
    case 'unrecognized_keys':
      return 'nobody reads it here';
    case 'invalid_union':
      return unionText(issue.errors);
    default:
      // Rules of our own say what they ask for; the validator's sentences about patterns help nobody.
      return issue.message.startsWith('must ') ? issue.message : '';
  }
}

const mustBe = (form: string | undefined): string =>
  form === undefined || form === '' ? '' : `must be ${form}`;

function bound(words: 'at least' | 'at most', limit: unknown, { origin, inclusive }: InputIssue): string {
  if (typeof limit !== 'bigint' && typeof limit !== 'number') return '';
  const [one, several] = UNITS.get(origin) ?? [];
  if (one !== undefined) return `must have ${words} ${limit} ${Number(limit) === 1 ? one : several}`;
  if (inclusive !== false) return `must be ${words} ${limit}`;
  return `must be ${words === 'at least' ? 'above' : 'below'} ${limit}`;
}

/** What the members of a union ask for: the rule of one that says it, else their forms. */
function unionText(errors: unknown): string {
  const issues = Array.isArray(errors) ? (errors as readonly (readonly UnionIssue[])[]).flat() : [];
  const rule = issues.find(({ code, message }) => code !== 'invalid_union' && message?.startsWith('must '));
  if (rule?.message !== undefined) return rule.message;
  const whole = issues.filter(({ path }) => path === undefined || path.length === 0);
  const forms = whole.flatMap(({ expected }) => TYPES.get(expected) ?? []);
  return mustBe([...new Set(forms)].join(' or '));
}

interface UnionIssue {
  readonly code?: unknown;
  readonly message?: string;
  readonly expected?: unknown;
  readonly path?: readonly unknown[];
}
