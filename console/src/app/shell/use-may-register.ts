import { useStatus } from '../../shared/session/status';

/** True when guests may register. */
export function useMayRegister(): boolean {
  const status = useStatus();
  return status !== undefined && !status.self_use_mode_enabled && status.register_enabled !== false;
}
