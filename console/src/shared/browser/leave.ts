/** Leaving the console for another site. An object, so that tests can watch the door. */
export const leave = {
  /** Goes to an address outside the console. */
  for(address: string): void {
    window.location.assign(address);
  },
};
