import { formatMoment } from './format.ts'

type TimeProps = { at: string; format?: (at: string) => string; className?: string | undefined }

export function Time({ at, format = formatMoment, className }: TimeProps) {
  return (
    <time dateTime={at} className={className}>
      {format(at)}
    </time>
  )
}
