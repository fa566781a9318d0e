// A form that is sent once at a time and keeps what was typed, whatever comes back.
import { useState, type FormEvent } from 'react'

type Submit = (event: FormEvent<HTMLFormElement>) => void

export function useBusy(send: (form: FormData) => Promise<void>): [isBusy: boolean, submit: Submit] {
  const [isBusy, setIsBusy] = useState(false)
  async function run(form: FormData) {
    setIsBusy(true)
    try {
      await send(form)
    } finally {
      setIsBusy(false)
    }
  }
  return [
    isBusy,
    (event) => {
      event.preventDefault()
      if (!isBusy) void run(new FormData(event.currentTarget))
    },
  ]
}
