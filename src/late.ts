/** Made when it is first asked for, and kept: what a start or a command does not need costs it nothing. */
export function late<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
