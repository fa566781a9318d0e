// A key is published before it signs; what the one before has signed stays valid for a day.

const copyMs = 10_000
/** Every process has read the key by then, whatever the difference of their clocks. */
export const leadMs = 60_000
const verifyMs = 86_400_000

export type Generation<Key> = { key: Key; replaced_at: Date | undefined }

/** The newest first. */
export function findSigner<Key>(generations: readonly Generation<Key>[], now: Date): Key {
  const signer = generations.findLast(({ replaced_at }) => !replaced_at || now < replaced_at)
  if (!signer) throw new Error('there is no key to sign with')
  return signer.key
}

export function isValidFor(generation: Generation<unknown>, signed_at: number, now: Date): boolean {
  const { replaced_at } = generation
  return isVerifying(generation, now) && (!replaced_at || signed_at <= replaced_at.getTime())
}

export function isVerifying({ replaced_at }: Generation<unknown>, now: Date): boolean {
  return !replaced_at || now.getTime() < replaced_at.getTime() + verifyMs
}

export function freshCopy<Value>(read: () => Promise<Value>, clock: () => Date): () => Promise<Value> {
  let copy: { value: Promise<Value>; readAt: number } | undefined
  return () => {
    const now = clock().getTime()
    if (copy && Math.abs(now - copy.readAt) < copyMs) return copy.value
    const entry = { value: read(), readAt: now }
    copy = entry
    entry.value.catch(() => {
      if (copy === entry) copy = undefined
    })
    return entry.value
  }
}
