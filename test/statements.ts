// The SQL statements that this process sends; those inside triggers are not among them.
import { Client } from 'pg'
import { vi } from 'vitest'

/** `application` is the name that the connection has in the database. */
type Statement = { application: string; sent: string }

/** Absent from pg's types. */
type Connected = { connectionParameters: { application_name: string } }

/** Records on every connection until it is disposed of; `begin` and `commit` count. */
export function recordStatements(): Disposable & { all(): Statement[] } {
  const spy = vi.spyOn(Client.prototype, 'query')
  return {
    all: () =>
      spy.mock.calls.map((given, index) => {
        const client: unknown = spy.mock.contexts[index]
        const { connectionParameters } = client as Connected
        return { application: connectionParameters.application_name, sent: JSON.stringify(given) }
      }),
    [Symbol.dispose]: () => spy.mockRestore(),
  }
}
