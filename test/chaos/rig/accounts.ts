import { GatewayConsole, FX_PRICES } from '../../support/gateway-console.js';
import { REALTIME_MODEL } from './realtime-vendor.js';
import { MODEL_NAMES } from './upstream-models.js';

export interface ChaosToken {
  readonly id: number;
  readonly key: string;
  readonly userId: number;
  /** Its owner has money for a few calls only. */
  readonly isPoor: boolean;
}

const RICH_QUOTA = 500_000_000;
/** Money for some twenty calls. */
const POOR_QUOTA = 2_500;
const LIMITED_QUOTA = 3_000;
/** A vendor of chats only: every other dialect has to be translated. */
const CHAT_ONLY_VENDOR = 40;

/** A fresh gateway with prices and two addresses of one upstream. */
export async function setUpGateway(url: string, upstreamPort: number): Promise<GatewayConsole> {
  const root = new GatewayConsole(url);
  await root.setUp();
  const prices = FX_PRICES([...MODEL_NAMES, REALTIME_MODEL]);
  await root.setOptions({ ...prices, RetryTimes: '2', LogConsumeEnabled: 'true' });
  for (const address of ['a', 'b']) {
    await root.addChannel({
      type: CHAT_ONLY_VENDOR,
      base_url: `http://127.0.0.1:${upstreamPort}/${address}`,
      models: MODEL_NAMES,
    });
  }
  await root.addChannel({ base_url: `http://127.0.0.1:${upstreamPort}`, models: [REALTIME_MODEL] });
  return root;
}

/** Accounts with a free and a limited token each; every fifth is nearly empty. */
export async function makeAccounts(root: GatewayConsole, count: number): Promise<ChaosToken[]> {
  const one = async (index: number): Promise<ChaosToken[]> => {
    const isPoor = index % 5 === 4;
    const own = await root.addUser(`payer${index}`, isPoor ? POOR_QUOTA : RICH_QUOTA);
    const { id: userId } = await own.send<{ id: number }>('GET', '/api/user/self');
    const free = await own.addToken();
    const remain = index % 4 === 3 ? LIMITED_QUOTA : RICH_QUOTA;
    const limited = await own.addToken({ unlimited_quota: false, remain_quota: remain });
    return [
      { ...free, userId, isPoor },
      { ...limited, userId, isPoor: isPoor || remain === LIMITED_QUOTA },
    ];
  };
  const tokens: ChaosToken[] = [];
  for (let index = 0; index < count; index += 1) tokens.push(...(await one(index)));
  return tokens;
}
