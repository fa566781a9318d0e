// The thread that checks and reads uploaded ebooks.
import { serveTasks } from '#platform/bounded-worker.ts'
import { readUpload } from './read-upload.ts'

serveTasks(readUpload)
