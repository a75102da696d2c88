import type { UserEntity } from '../../base/users/user.entity.js';
import { assertDisplayName, assertUsername, foldUsername } from '../../base/users/user-rules.js';

export interface ChangedNames {
  username?: string;
  usernameFolded?: string;
  displayName?: string;
}

/**
 * The names that differ from the stored ones. Those made outside may be longer than typed ones, so an unchanged name is not checked.
 * Fails: DomainError `username_*`, `display_name_*`.
 */
export function changedNames(
  user: Pick<UserEntity, 'username' | 'displayName'>,
  wanted: Pick<UserEntity, 'username' | 'displayName'>,
  by: 'owner' | 'administrator',
): ChangedNames {
  const changes: ChangedNames = {};
  const { username, displayName } = wanted;
  if (username !== user.username) {
    assertUsername(username, by);
    changes.username = username;
    changes.usernameFolded = foldUsername(username);
  }
  if (displayName !== user.displayName) {
    assertDisplayName(displayName, by);
    changes.displayName = displayName;
  }
  return changes;
}
