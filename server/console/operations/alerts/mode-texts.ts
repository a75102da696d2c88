import type { Language } from '../../../common/language.js';
import { DEGRADED_MODES, type DegradedMode } from '../../../infra/observability/degraded-modes.js';

/** Effect of each mode on callers, in Chinese; the English texts are part of the modes. */
export const MODE_MEANINGS_ZH: Readonly<Record<string, string>> = {
  'safe-mode': '因设置了 SAFE_MODE，动态选项不生效',
  'shared-store-away': 'Redis 不可用、过慢或拒绝访问：额度直接在数据库中预留，限流按进程分摊',
  'shared-store-evicts': 'Redis 内存满时会淘汰数据：额度池将重新建立，限流计数会丢失',
  'database-away': '数据库无响应：调用由已预留的额度支撑',
  'database-read-only': '数据库只读：调用由已预留的额度支撑，读取照常',
  'database-behind':
    '数据库丢失了已出现过的数据，如被换成旧副本：在管理员恢复数据库或确认其现状之前，拒绝调用与登录',
  'database-slow': '数据库响应缓慢：先暂缓报表，其次控制台，最后才是调用',
  'log-database-away': '使用日志数据库无响应：日志行在本地队列中等待',
  'spool-full': 'DATA_DIR 所在磁盘已满或故障：拒绝付费调用',
  'settlements-waiting': '费用在本地队列中等待过久',
  'options-not-converged': '该进程使用的选项比其他进程旧',
  'event-loop-slow': '该进程过载：拒绝新的调用',
  'clock-skewed': '本机时钟与数据库或 Redis 不一致',
};

/** Undefined = a mode of another version, which this one cannot explain. */
export function modeMeaning(mode: string, language: Language): string | undefined {
  if (!Object.hasOwn(DEGRADED_MODES, mode)) return undefined;
  const known = mode as DegradedMode;
  return language === 'zh' ? (MODE_MEANINGS_ZH[known] ?? DEGRADED_MODES[known]) : DEGRADED_MODES[known];
}
