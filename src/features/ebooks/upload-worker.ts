// Reads uploads, in a thread or, for PDFs, in a process (check.ts).
import { serveTasks } from '#platform/serve-tasks.ts'
import { readUpload } from './read-upload.ts'

serveTasks(readUpload)
