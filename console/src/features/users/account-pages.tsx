/** One chunk for the pages of an account and of all tokens: each chunk costs the router bytes of the first load. */
export { AccountOverviewTab, AccountPage, AccountSecurityTab, AccountTokensTab } from './account-page';
export { AllTokensPage } from './all-tokens-page';
