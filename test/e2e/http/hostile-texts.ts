import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One request of the console API. `body` is JSON text as bytes; undefined = none. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
}

/** The requests of one route. */
export interface RouteRequests {
  readonly route: string;
  readonly requests: readonly HostileRequest[];
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as ApiDocument;

/** Requests of these would end the session, or reach for the network. */
const LEFT_OUT = /\/logout$|fetch_models|\/channel\/test|update_balance|\/setting\/test|\/alerts\/test/;

/** Percent-encoded: a NUL alone and inside, half a character, a byte that is no UTF-8, a long text, numbers beyond any column. */
const ENCODED = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%FF',
  'x'.repeat(10_000),
  '2147483648',
  '9223372036854775808',
  '-2147483649',
];
const TEXTS = ['\0', 'a\0b', 'a\ud800b', 'x'.repeat(10_000), '漢'.repeat(300)];
const NUMBERS = [2 ** 31, 2 ** 53, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 1e300];

/** Values that let a request pass its first checks. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  username: 'the.other',
  password: 'password-of-a-test',
  name: 'sample',
  models: 'gpt-4o',
  key: 'Notice',
  value: 'text',
  email: 'a@example.com',
  trade_no: 'order-1',
  tag: 'tag',
  model: 'gpt-4o',
  quota: 1,
  amount: 1,
  method: 'password',
};
/** Optional members without which a route does nothing. */
const FILLED: Readonly<Record<string, readonly string[]>> = {
  'POST /api/user/login': ['username', 'password'],
  'POST /api/user/login/unlock': ['username'],
  'POST /api/user/register': ['username', 'password'],
  'POST /api/user': ['username', 'password'],
  'POST /api/channel': ['key'],
  'POST /api/redemption': ['name', 'quota'],
  'POST /api/user/topup': ['key'],
  'POST /api/user/manage': ['value', 'mode'],
  'POST /api/user/reset': ['email', 'token'],
};

/** Every text parameter of every route of the API document with every hostile value, one at a time. */
export function hostileRequests(): RouteRequests[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(() => !LEFT_OUT.test(path))
      .map(([verb, operation]) => ({
        route: `${verb.toUpperCase()} ${path}`,
        requests: requestsOf(verb.toUpperCase(), path, operation),
      })),
  );
}

function requestsOf(method: string, path: string, operation: Operation): HostileRequest[] {
  const parameters = operation.parameters ?? [];
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const address = (name: string, text: string): string => {
    const place = parameters.find((each) => each.name === name)?.in;
    const plain = path.replace(/\{(\w+)\}/g, (_, part: string) =>
      part === name && place === 'path' ? text : samplePart(part, path),
    );
    const query = required.filter((each) => each.name !== name).map((each) => `${each.name}=1`);
    if (place !== 'path' && name !== '') query.push(`${name}=${text}`);
    return query.length === 0 ? plain : `${plain}?${query.join('&')}`;
  };
  const schema = operation.requestBody?.content['application/json']?.schema;
  const base = schema === undefined ? undefined : sampleOf(resolve(schema), `${method} ${path}`);
  const plain = base === undefined ? {} : { body: bytes(base) };
  const requests: HostileRequest[] = [...parameters.map((each) => each.name), 'no_such_parameter'].flatMap(
    (name) => ENCODED.map((text) => ({ method, path: address(name, text), ...plain })),
  );
  if (schema === undefined || base === undefined) return requests;
  const bodies = leavesOf(resolve(schema), []).flatMap(({ place, isNumber }) =>
    (isNumber ? [...NUMBERS, ...TEXTS.slice(0, 1)] : TEXTS).map((value) => bytes(placed(base, place, value))),
  );
  const broken = Buffer.from(JSON.stringify({ ...(base as object), no_such_member: 'a\0b\ud800' }));
  const invalid = Buffer.concat([broken.subarray(0, -2), Buffer.from([0xff]), broken.subarray(-2)]);
  return [
    ...requests,
    ...[...bodies, broken, invalid].map((body) => ({ method, path: address('', ''), body })),
  ];
}

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const samplePart = (name: string, path: string): string =>
  name === 'provider' ? 'github' : path.startsWith('/api/user/') && name === 'id' ? '3' : '1';

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : (document.components.schemas[name] ?? {});
  const [first] = found.anyOf ?? [];
  return first === undefined ? found : resolve(first);
}

function sampleOf(schema: Schema, route: string, name = ''): unknown {
  if (schema.type === 'object') {
    const wanted = [...(schema.required ?? []), ...(FILLED[route] ?? [])];
    const members = Object.entries(schema.properties ?? {}).filter(([member]) => wanted.includes(member));
    return Object.fromEntries(
      members.map(([member, inner]) => [member, sampleOf(resolve(inner), route, member)]),
    );
  }
  if (schema.enum !== undefined) return schema.enum[0];
  if (name in SAMPLES) return SAMPLES[name];
  switch (schema.type) {
    case 'array':
      return [sampleOf(resolve(schema.items ?? {}), route)];
    case 'integer':
    case 'number':
      return route.includes('/user') ? 3 : 1;
    case 'boolean':
      return false;
    default:
      return 'sample';
  }
}

interface Leaf {
  readonly place: readonly string[];
  readonly isNumber: boolean;
}

/** Texts and numbers of a body, lists by their first entry. */
function leavesOf(schema: Schema, place: readonly string[]): Leaf[] {
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      leavesOf(resolve(inner), [...place, name]),
    );
  if (schema.type === 'array') return leavesOf(resolve(schema.items ?? {}), [...place, '0']);
  if (schema.type === 'boolean') return [];
  return [{ place, isNumber: schema.type === 'integer' || schema.type === 'number' }];
}

function placed(base: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '0') return [placed(Array.isArray(base) ? (base as unknown[])[0] : {}, rest, value)];
  const members = typeof base === 'object' && base !== null ? base : {};
  return { ...members, [name]: placed((members as Record<string, unknown>)[name], rest, value) };
}
