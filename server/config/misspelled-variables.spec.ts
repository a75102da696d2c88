import { describe, expect, it } from '@jest/globals';
import { findMisspelledVariables } from './misspelled-variables.js';

const sentenceOf = (name: string, meant: string): string =>
  `${name}: is not read; if ${meant} is meant, call it that, else take it out`;

describe('misspelled variables', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATBAASE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['REDISURL', 'REDIS_URL'],
    ['SESION_SECRET', 'SESSION_SECRET'],
    ['CRYPTO_SECRETS', 'CRYPTO_SECRET'],
    ['DATADIR', 'DATA_DIR'],
    ['REDIS_CONN_STRING', 'REDIS_URL'],
  ])('%s is refused: the books would be elsewhere than %s says', (name, meant) => {
    expect(findMisspelledVariables({ [name]: 'x' })).toEqual({
      faults: [sentenceOf(name, meant)],
      warnings: [],
    });
  });

  it.each(['SQL_DSN', 'LOG_SQL_DSN'])('%s is refused, and the sentence names npm run import', (name) => {
    expect(findMisspelledVariables({ [name]: 'x' }).faults).toEqual([
      expect.stringContaining('npm run import'),
    ]);
  });

  it('warns of variables of other gateways that have no counterpart', () => {
    expect(findMisspelledVariables({ NODE_TYPE: 'slave' })).toEqual({
      faults: [],
      warnings: ['NODE_TYPE: has no counterpart here; take it out'],
    });
  });

  it.each([
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['SERVER_ADRESS', 'SERVER_ADDRESS'],
  ])('%s is only remarked upon', (name, meant) => {
    expect(findMisspelledVariables({ [name]: 'x' })).toEqual({
      faults: [],
      warnings: [sentenceOf(name, meant)],
    });
  });

  it('complains neither about a name that is set right nor about one that other programs read', () => {
    expect(findMisspelledVariables({ DATABASE_URL: 'a', DATABASE_URI: 'b', SQL_DSN: 'c' })).toEqual({
      faults: [],
      warnings: [],
    });
    const others = {
      HOME: '',
      HOSTNAME: '',
      PATH: '',
      PWD: '',
      SHELL: '',
      LANG: '',
      USER: '',
      TERM: '',
      TZ: '',
      REDIS_PORT: '',
      REDIS_HOST: '',
      REDIS_PASSWORD: '',
      PGDATA: '',
      MYSQL_DATABASE: '',
      DATABASE_HOST: '',
      NODE_OPTIONS: '',
      NODE_EXTRA_CA_CERTS: '',
      npm_config_cache: '',
      KUBERNETES_PORT: '',
      HTTP_PROXY: '',
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      XDG_DATA_DIRS: '',
      LOGNAME: '',
      NODE_CHANNEL_FD: '',
    };
    expect(findMisspelledVariables(others)).toEqual({ faults: [], warnings: [] });
  });
});
