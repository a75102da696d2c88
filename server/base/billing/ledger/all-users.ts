/** Stands for all users together: what the dashboard of a month reads, instead of every user's rows. No account has this id. */
export const ALL_USERS = 0;
