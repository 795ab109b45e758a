/** The same object but for some members. The others stay its own, and are called on it: it may keep its state in itself. */
export function overlaid<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_target, name): unknown {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
