/** Leaving the console for another site. An object, so that tests can watch it. */
export const leave = {
  /** Goes to an address outside the console. */
  for(address: string): void {
    window.location.assign(address);
  },
  /** Goes to an address outside the console and leaves no way back to this page. */
  replacing(address: string): void {
    window.location.replace(address);
  },
  /** Goes there with fields in the body, as a form that is submitted. */
  with(address: string, fields: Readonly<Record<string, string>>): void {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = address;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input');
      input.type = 'hidden';
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
    form.remove();
  },
};
