/** Going to another page of the prototype, as the frame around it asks. */

/** `to` is `back`, `forward`, `reload`, or an address of the prototype's own origin; anything else is nothing. */
export function navigate({ history, location }: Window, to: string): void {
  if (to === 'back') return history.back();
  if (to === 'forward') return history.forward();
  if (to === 'reload') return location.reload();
  try {
    const address = new URL(to, location.href);
    if (address.origin === location.origin && /^https?:$/.test(address.protocol)) location.assign(address.href);
  } catch {
    // No address.
  }
}
