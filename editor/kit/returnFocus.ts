import { useState } from 'react';

/** For the `onCloseAutoFocus` of a dialog without a trigger: the focus goes back to where it was when the dialog opened. */
export function useReturnFocus(): () => void {
  const [opener] = useState(whereFocusIs);
  return () => {
    // What somebody chose in the dialog may have put the focus elsewhere.
    if (document.activeElement === document.body) opener?.focus();
  };
}

/** The entry of a menu is gone with it: what opened the menu counts. */
function whereFocusIs(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active;
  return opener instanceof HTMLElement ? opener : null;
}
