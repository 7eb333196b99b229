/** This machine by name or address, as the host of a URL has it: an IPv6 address in brackets. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/.test(hostname);
}
