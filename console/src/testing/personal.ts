import { aSelf, aStatus } from './builders';
import { FakeApi, type Routes } from './fake-api';

export const ADA = { id: 7, username: 'ada', display_name: 'Ada', role: 1 };
export const TWO_FACTOR_OFF = {
  enabled: false,
  locked: false,
  backup_codes_remaining: 0,
  has_password: true,
};

export interface PersonalStage {
  readonly tab?: string;
  readonly self?: Parameters<typeof aSelf>[0];
  readonly status?: Parameters<typeof aStatus>[0];
  readonly routes?: Routes;
}

/** Routes that Ada's personal settings call. */
export const personalApi = ({ self = {}, status = {}, routes = {} }: PersonalStage): FakeApi =>
  new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/user/self': { data: aSelf({ id: 7, username: 'ada', role: 1, ...self }) },
    'GET /api/user/models': { data: Array.from({ length: 13 }, (_, index) => `model-${index + 10}`) },
    'GET /api/user/aff': { data: 'QW8e' },
    'GET /api/user/self/sessions': { data: [] },
    'GET /api/user/2fa/status': { data: TWO_FACTOR_OFF },
    'GET /api/user/passkey': { data: { enabled: false, available: true, items: [] } },
    ...routes,
  });
