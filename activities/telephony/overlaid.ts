/** Replaces some members of an object. The others are still called on the original, which may hold state. */
export function overlaid<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_target, name): unknown {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
