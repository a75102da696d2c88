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
  ...Object.entries({
    API: 5,
    AUTH: 20,
    CACHE: 4,
    CHAN: 18,
    CODE: 11,
    DATA: 6,
    INFRA: 5,
    LOG: 12,
    NOTE: 7,
    OAUTH: 15,
    OPT: 15,
    PAY: 17,
    PRICE: 5,
    QUOTA: 12,
    REDEEM: 7,
    SELF: 10,
    SETUP: 6,
    TASK: 9,
    TOK: 8,
    USER: 9,
  }).map(([code, count]) => ({ code, title: 'mistakes of comparable consoles', count, digits: 1 })),
];

function group(code, title, count) {
  return { code, title, count, digits: 2 };
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
