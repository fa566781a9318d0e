// The field of a picture in the book’s form: uploaded, described and removed.
import { useState, useId } from 'react'
import type { BookDocument } from '#contract/book/book.ts'
import { Button } from '../../../components/button.tsx'
import { maxPictureBytes } from '#contract/files/renditions.ts'
import type { PictureColors } from '#contract/files/pictures.ts'
import type { AdminPicturesApi } from '#domains/files/pictures.routes.ts'
import type { ProblemCode } from '#contract/refusals.ts'
import { ProblemError, responseOf } from '../../../api.ts'
import { failure } from '../../../notices/send.ts'
import { adminClient } from '../calls.tsx'
import { PictureDrop } from '../../file-drop.tsx'
import { useSendFile } from '../../send-file.ts'
import { Line } from './draft-fields.tsx'

type BookPicture = NonNullable<BookDocument['cover']>

type PictureFieldProps = {
  name: 'cover' | 'portrait'
  hint: string
  picture: BookPicture | null
  problem: string | undefined
  /** `colors` are those of another picture, and null where it was removed. */
  change: (edit: (before: BookPicture | null) => BookPicture | null, colors?: PictureColors | null) => void
}

const api = adminClient<AdminPicturesApi>()
const tooLarge: ProblemCode = 'uploads.not_a_picture'

export function PictureField({ name, hint, picture, problem, change }: PictureFieldProps) {
  const id = useId()
  const { sending, send, cancel } = useSendFile()
  const [fault, setFault] = useState('')

  async function upload(file: File) {
    setFault('')
    try {
      if (file.size > maxPictureBytes)
        throw new ProblemError({ status: 422, code: tooLarge, detail: sizeFault(file) })
      const upload_id = await send(file)
      if (!upload_id) return
      const { colors, ...stored } = await responseOf(api.pictures.$post({ json: { upload_id } }))
      change((before) => ({ ...stored, alt: before?.alt ?? '' }), colors)
    } catch (error) {
      setFault(failure('Couldn’t upload', error).description ?? '')
    }
  }

  return (
    <div role="group" aria-labelledby={id} className="grid gap-4">
      <p id={id} className="flex min-h-9 items-center justify-between gap-3 font-semibold">
        {title(name)}
        {picture && (
          <Button look="quiet" onClick={() => change(() => null, null)}>
            Remove the {name}
          </Button>
        )}
      </p>
      <PictureDrop
        picture={picture}
        alt={picture?.alt || `The ${name}, not described yet`}
        label={picture ? `Another ${name}` : title(name)}
        hint={`${hint} JPEG, PNG or WebP, 20 MB at most.`}
        onFile={(file) => void upload(file)}
        sending={sending}
        onCancel={cancel}
      />
      {fault && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      {picture && (
        <Line
          label={`Description of the ${name}`}
          hint="What it shows, for those who cannot see it and for search engines."
          problem={problem}
          value={picture.alt}
          onChange={(alt) => change((before) => before && { ...before, alt })}
        />
      )}
    </div>
  )
}

const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function sizeFault({ size }: File): string {
  const megabytes = (size / 1024 / 1024).toFixed(1)
  return `This picture is ${megabytes} MB; the limit is 20 MB. Please save it smaller, for example 1600 pixels wide.`
}
