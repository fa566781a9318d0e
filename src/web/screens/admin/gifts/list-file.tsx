import { useId, useState } from 'react'
import { toast } from '../../../toasts.tsx'
import { buttonClass } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'
import { readListText } from './list-text.ts'

/** Bytes; a list of 500 addresses is smaller. */
const largest = 200_000

type ListFileProps = {
  isReplacing: boolean
  onText: (text: string) => void
}

export function ListFile({ isReplacing, onText }: ListFileProps) {
  const id = useId()
  const [waiting, setWaiting] = useState<string>()
  async function read(file: File) {
    if (file.size > largest) return toast(tooLarge)
    const text = readListText(new Uint8Array(await file.arrayBuffer()))
    if (isReplacing) setWaiting(text)
    else onText(text)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        className="peer sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void read(file)
          // The same one may be chosen again.
          target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'outline',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-focus',
        )}
      >
        Take the list from a CSV file
      </label>
      <span className="text-sm text-soft">As a spreadsheet saves it.</span>
      {waiting !== undefined && (
        <Confirm
          title="Replace the list?"
          action="Replace it"
          onClose={() => setWaiting(undefined)}
          onConfirm={() => {
            onText(waiting)
            setWaiting(undefined)
          }}
        >
          The file replaces what is under “To”.
        </Confirm>
      )}
    </div>
  )
}

const tooLarge = {
  title: 'File too large',
  description: 'A list has 500 addresses at most. Please split the file.',
  destructive: true,
}
