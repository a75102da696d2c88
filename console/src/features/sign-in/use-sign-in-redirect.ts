import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { toast } from '../../shared/feedback/toast';
import { ROLE, type StoredUser } from '../../api/current-user';
import { useEnter } from '../../shared/session/enter';
import { firstPage, useShownModules } from '../../shared/session/modules';

/** The page a login continues on. */
export const LANDING = '/token';
/** The page a login by WeChat or Telegram continues on. */
export const WIDGET_LANDING = '/';
/** Root with a common password may do nothing before it is changed here. */
const PASSWORD_PAGE = '/personal?tab=security';

/** Stores who signed in and takes them to the page that asked for the login, else to the landing page. */
export function useSignInRedirect() {
  const { t } = useTranslation();
  const enter = useEnter();
  const navigate = useNavigate();
  const location = useLocation();
  const back = backPath(location.state);
  const modules = useShownModules();
  return useCallback(
    async (user: StoredUser, landing: string = LANDING, isDefaultPassword = false) => {
      enter(user);
      if (isDefaultPassword) toast('warning', t('signIn.login.defaultPassword'));
      else toast('success', t('signIn.login.success'));
      const mustChange = isDefaultPassword && user.role >= ROLE.root;
      await navigate(
        mustChange ? PASSWORD_PAGE : (back ?? (modules.page(landing) ? landing : firstPage(modules))),
        { replace: true },
      );
    },
    [enter, navigate, back, modules, t],
  );
}

/** The path a guard came from; only paths of this console are followed. */
export function backPath(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('back' in state)) return undefined;
  return typeof state.back === 'string' && /^\/(?![/\\])/.test(state.back) ? state.back : undefined;
}

/** The ticket of a second step that was begun elsewhere (outside login). */
export function ticketOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('secondFactor' in state)) return undefined;
  return typeof state.secondFactor === 'string' ? state.secondFactor : undefined;
}
