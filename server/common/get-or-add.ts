interface Keyed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key; where there is none, one is made and kept. */
export function getOrAdd<K, V>(map: Keyed<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** The same in a map of `most` entries: it is emptied before it holds more. */
export function getOrRemember<K, V>(map: Map<K, V>, most: number, key: K, make: () => V): V {
  if (map.size >= most && !map.has(key)) map.clear();
  return getOrAdd(map, key, make);
}
