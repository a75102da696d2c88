/**
 * The risks tests are named after: a letter code and a number. Two digits (`AUTH-03`) are attacks and faults, one digit
 * (`AUTH-3`) mistakes of comparable consoles that must not come back; from ten on both are written alike.
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
  group('API', 'the shape of answers', 5, 1),
  group('AUTH', 'signing in and its limits', 20, 1),
  group('CACHE', 'copies that are older than the database', 4, 1),
  group('CHAN', 'channels', 18, 1),
  group('CODE', 'codes by mail', 11, 1),
  group('DATA', 'figures of use', 6, 1),
  group('INFRA', 'start, databases, several instances', 5, 1),
  group('LOG', 'the usage log', 12, 1),
  group('NOTE', 'notices', 7, 1),
  group('OAUTH', 'signing in by way of others', 15, 1),
  group('OPT', 'options', 15, 1),
  group('PAY', 'payments', 17, 1),
  group('PRICE', 'prices', 5, 1),
  group('QUOTA', 'quota', 12, 1),
  group('REDEEM', 'redemption codes', 7, 1),
  group('SELF', 'the own account', 10, 1),
  group('SETUP', 'the first start', 6, 1),
  group('TASK', 'drawings and songs', 9, 1),
  group('TOK', 'API tokens', 8, 1),
  group('USER', 'administration of users', 9, 1),
];

function group(code, title, count, digits = 2) {
  return { code, title, count, digits };
}

const CODES = [...new Set(RISK_GROUPS.map(({ code }) => code))].toSorted((a, b) => b.length - a.length);
const RISK = new RegExp(`(?<![\\w-])(?:${CODES.join('|')})-\\d{1,2}[a-z]?(?![\\w-])`, 'g');

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
      Number(number) >= 1 &&
      Number(number) <= each.count &&
      number === String(Number(number)).padStart(each.digits, '0'),
  );
}
