import { useStatus } from '../../shared/session/status';

/** Whether guests may make an account of their own. */
export function useMayRegister(): boolean {
  const status = useStatus();
  return status !== undefined && !status.self_use_mode_enabled && status.register_enabled !== false;
}
