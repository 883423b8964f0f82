package artifact

import "github.com/toolclip/toolclip/internal/dirfs"

// OpenDirFS is OpenDir on any file system.
func OpenDirFS(f dirfs.FS, o *Options) (*Dir, error) { return openDir(f, o) }

// BlobName is the name of an artifact's file, for tests that damage it.
func BlobName(s Scope, h Handle) string { return nameOf(s.id(), h).String() }

// Physical is where a byte of an artifact is in its file.
func Physical(off int64) int64 { return physical(off) }
