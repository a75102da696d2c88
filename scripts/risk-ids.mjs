/**
 * The risks tests are named after: a letter code and a number. Up to 99 (`AUTH-03`) they are attacks and faults, from 101
 * (`AUTH-103`) mistakes of comparable consoles that must not come back.
 */
export const RISK_GROUPS = [
  group('AUTH', 'signing in, registering, login state', 13),
  group('CODE', 'codes by mail, password reset', 7),
  group('OAUTH', 'signing in by way of others, binding', 10),
  group('TG', 'Telegram', 3),
  group('WX', 'WeChat', 1),
  group('SELF', 'own profile, notifications, leaving', 5),
  group('ADM', 'administration of users', 5),
  group('TOK', 'API tokens, the system access token', 10),
  group('RLY', 'requests to the relay', 13),
  group('UP', 'answers of hostile or broken upstreams', 10),
  group('CH', 'channels, addresses administrators type', 7),
  group('NET', 'fetching an address somebody typed', 7),
  group('BIL', 'quota and billing', 10),
  group('RED', 'redemption codes', 5),
  group('AFF', 'invitations', 3),
  group('PAY', 'top-up', 12),
  group('LOG', 'logs', 4),
  group('DB', 'search, pages, sums', 4),
  group('OPT', 'options, status, prices', 5),
  group('WEB', 'the console in the browser', 9),
  group('TSK', 'asynchronous tasks', 4),
  group('HTTP', 'the edge of the server', 9),
  group('SUP', 'supply chain', 7),
  group('F', 'faults, load and overload, clocks', 74),
  group('API', 'the shape of answers', 5, 101),
  group('AUTH', 'signing in and its limits', 20, 101),
  group('CACHE', 'copies that are older than the database', 4, 101),
  group('CHAN', 'channels', 18, 101),
  group('CODE', 'codes by mail', 11, 101),
  group('DATA', 'figures of use', 6, 101),
  group('INFRA', 'start, databases, several instances', 5, 101),
  group('LOG', 'the usage log', 12, 101),
  group('NOTE', 'notices', 7, 101),
  group('OAUTH', 'signing in by way of others', 15, 101),
  group('OPT', 'options', 15, 101),
  group('PAY', 'payments', 17, 101),
  group('PRICE', 'prices', 5, 101),
  group('QUOTA', 'quota', 12, 101),
  group('REDEEM', 'redemption codes', 7, 101),
  group('SELF', 'the own account', 10, 101),
  group('SETUP', 'the first start', 6, 101),
  group('TASK', 'drawings and songs', 9, 101),
  group('TOK', 'API tokens', 8, 101),
  group('USER', 'administration of users', 9, 101),
];

function group(code, title, count, first = 1) {
  return { code, title, first, last: first + count - 1 };
}

/** @returns {string} `AUTH-03`, `AUTH-103` */
export const riskId = (code, number) => `${code}-${String(number).padStart(2, '0')}`;

const CODES = [...new Set(RISK_GROUPS.map(({ code }) => code))].toSorted((a, b) => b.length - a.length);
const RISK = new RegExp(`(?<![\\w-])(?:${CODES.join('|')})-\\d{2,3}[a-z]?(?![\\w-])`, 'g');

/** @returns {string[]} the risks a text names */
export function risksIn(text) {
  return [...text.matchAll(RISK)].map(([risk]) => risk);
}

/** @param {string} risk `AUTH-03`; a letter behind it is a case of the same risk */
export function isRisk(risk) {
  const [, code, number] = /^([A-Z]+)-(\d+)[a-z]?$/.exec(risk) ?? [];
  return RISK_GROUPS.some(
    (each) =>
      each.code === code &&
      Number(number) >= each.first &&
      Number(number) <= each.last &&
      risk.startsWith(riskId(code, Number(number))),
  );
}
