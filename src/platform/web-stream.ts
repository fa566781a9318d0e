// Web streams made of iterables, and chunks that are worth a message to another thread.
/** Reads ahead of its reader by one chunk. A reader that gives up ends the source. */
export function toWebStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}

const joinedBytes = 1024 * 1024

/** Chunks of a megabyte at least: each that goes to another thread costs a message there and one back. */
export async function* joinChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < joinedBytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
