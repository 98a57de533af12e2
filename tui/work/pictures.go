package work

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/picture"
)

// pictureKey identifies a drawing of a picture.
type pictureKey struct {
	data          session.Ref
	columns, rows int
	way           picture.Way
	dark, color   bool
	id            int // in kitty's protocol
}

// painting is a drawn picture.
type painting struct {
	rows   []string
	upload string // to be sent to the terminal once
	err    error
}

// shownMsg carries a picture to show in place of the screen, or the result of having shown it.
type shownMsg struct {
	shown *picture.Shown
	err   error
}

// isPicture reports whether a file can be shown as one.
func isPicture(f session.Output) bool {
	format, _, _ := strings.Cut(f.Kind, " ")
	return f.Problem == "" && (format == "PNG" || format == "JPEG" || format == "GIF")
}

// shownPicture returns the index of the file whose picture is shown; -1 for none.
func (m *viewer) shownPicture() int {
	files := m.leftFiles()
	if m.state.Plan.Sees(m.attempt()) != session.SeeTests || m.review.picture < 0 {
		return -1
	}
	if n := m.review.picture - 1; n >= 0 && n < len(files) {
		return n
	}
	return slices.IndexFunc(files, isPicture)
}

// choosePicture shows a file's picture in the list, or hides it.
func (m *viewer) choosePicture(n int) {
	files := m.leftFiles()
	if n >= len(files) || !isPicture(files[n]) {
		m.notice = "enter: this file is no picture that can be shown here"
		return
	}
	shown := m.shownPicture()
	m.changed(func() {
		m.review.picture = n + 1
		if shown == n {
			m.review.picture = -1
		}
	})
}

// noPicture is why there is no picture to show.
func (m *viewer) noPicture() string {
	if m.state.Plan.Sees(m.attempt()) != session.SeeTests || !slices.ContainsFunc(m.leftFiles(), isPicture) {
		return "the program left no picture"
	}
	return ""
}

// pictureSize returns the size of a picture in cells. In the list it takes only a part of the screen,
// so that the tests stay in view.
func (m *viewer) pictureSize(f session.Output) (columns, rows int) {
	body := m.size.Body()
	room := frame.Size{Width: body.Width - 8, Height: min(14, body.Height-6)}
	if m.review.full {
		room = frame.Size{Width: body.Width - 2, Height: body.Height - 1}
	}
	width, height := 640, 480
	_, size, _ := strings.Cut(f.Kind, " ")
	fmt.Sscanf(size, "%d×%d", &width, &height)
	if !m.opts.Pictures.Placeholders() || !m.theme.Color {
		width, height = 4*width, 4*height // cells show less than pixels do: larger is clearer
	}
	return picture.Cells(width, height, room.Width, room.Height)
}

// wantedPicture returns the drawing that the screen needs; ok is false if it needs none.
func (m *viewer) wantedPicture() (key pictureKey, ok bool) {
	at := m.shownPicture()
	if at < 0 || m.review.tab != tabTests && !m.review.full {
		return pictureKey{}, false
	}
	f := m.leftFiles()[at]
	key = pictureKey{data: f.Data, way: m.opts.Pictures, dark: m.theme.Dark, color: m.theme.Color}
	key.columns, key.rows = m.pictureSize(f)
	if !key.way.Placeholders() || !key.color { // colours carry the ids of kitty's placeholders
		key.way = picture.Blocks
	}
	return key, true
}

// paint starts drawing the picture that is shown.
func (m *viewer) paint() tea.Cmd {
	key, ok := m.wantedPicture()
	if !ok {
		return nil
	}
	if key.way.Placeholders() {
		if same := key; m.numbered.id > 0 {
			if same.id = m.numbered.id; same != m.numbered {
				m.numbered.id++
			}
		}
		if m.numbered.id < picture.FirstID || m.numbered.id > picture.LastID {
			m.numbered.id = picture.FirstID
		}
		key.id = m.numbered.id
		m.numbered = key
	}
	source, files, at := m.source, m.leftFiles(), m.shownPicture()
	return m.painted.Ask(key, func(ctx context.Context) painting {
		data, err := source.Output(files[at])
		if err != nil {
			return painting{err: err}
		}
		img, err := picture.Decode(data)
		if err != nil || ctx.Err() != nil {
			return painting{err: err}
		}
		return draw(img, key)
	})
}

// draw draws a picture.
func draw(img image.Image, key pictureKey) painting {
	switch {
	case key.way.Placeholders():
		upload, err := picture.KittyUpload(img, key.way, key.id, key.columns, key.rows)
		return painting{picture.KittyRows(key.id, key.columns, key.rows), upload, err}
	case !key.color:
		return painting{rows: picture.Greys(img, key.columns, key.rows, key.dark)}
	}
	return painting{rows: picture.HalfBlocks(img, key.columns, key.rows)}
}

// upload sends what the terminal needs to show the picture that was just drawn.
func (m *viewer) upload() tea.Cmd {
	key, made, ok := m.painted.Last()
	if !ok || made.upload == "" || key.id == m.uploaded {
		return nil
	}
	before := ""
	if m.uploaded > 0 {
		before = picture.KittyForget(key.way, m.uploaded)
	}
	m.uploaded = key.id
	return tea.Raw(before + made.upload)
}

// picture draws the picture that is shown.
func (m *viewer) picture() []string {
	wanted, ok := m.wantedPicture()
	if !ok {
		return nil
	}
	key, made, has := m.painted.Last()
	key.id = 0
	rows := make([]string, wanted.rows)
	switch {
	case !has || key != wanted:
		rows[0] = m.theme.Dim.Render("… the picture is being drawn")
	case made.err != nil:
		return strings.Split(m.theme.Warn.Render(frame.Wrap("– this picture cannot be shown: "+frame.Plain(made.err.Error()), m.size.Width-12)), "\n")
	default:
		copy(rows, made.rows)
	}
	return rows
}

// inlinePicture draws a file's picture in the list of files.
func (m *viewer) inlinePicture(n int) []string {
	if n != m.shownPicture() || m.review.full {
		return nil
	}
	rows := m.picture()
	for i, r := range rows {
		rows[i] = "       " + r
	}
	return rows
}

// showPicture shows the chosen picture as large as the screen.
func (m *viewer) showPicture() tea.Cmd {
	files := m.leftFiles()
	if at := m.chosenFile(); at >= 0 && isPicture(files[at]) {
		m.review.picture = at + 1
	} else {
		m.review.picture = slices.IndexFunc(files, isPicture) + 1
	}
	if !m.opts.Pictures.Overlays() || !m.theme.Color {
		m.review.full = true
		m.review.changes++
		return nil
	}
	f, source, way, size := files[m.review.picture-1], m.source, m.opts.Pictures, m.size
	caption := frame.OneLine(f.Name+" · "+f.Kind) + " · any key goes back"
	return func() tea.Msg {
		data, err := source.Output(f)
		if err != nil {
			return shownMsg{err: err}
		}
		img, err := picture.Decode(data)
		if err != nil {
			return shownMsg{err: err}
		}
		shown, err := picture.NewShown(img, way, caption, size.Width, size.Height)
		return shownMsg{shown, err}
	}
}

// pictureShown shows a picture in place of the screen, or tells why that failed.
func (m *viewer) pictureShown(msg shownMsg) tea.Cmd {
	if msg.err != nil {
		m.notice = "The picture cannot be shown: " + msg.err.Error()
		return nil
	}
	if msg.shown == nil {
		return nil
	}
	return tea.Exec(msg.shown, func(err error) tea.Msg { return shownMsg{err: err} })
}

// fullKeys returns the keys while a picture fills the page.
func (m *viewer) fullKeys() []frame.Key {
	back := frame.Only(func() { m.review.full = false; m.review.changes++ })
	return append(append([]frame.Key{{Press: "esc", Also: "p enter space q v", Does: "back", Do: back}}, m.saveKeys()...), frame.HelpKey)
}

// fullPicture returns a picture that fills the page, under a line that names it.
func (m *viewer) fullPicture(body frame.Size) string {
	at := m.shownPicture()
	if at < 0 {
		return ""
	}
	f := m.leftFiles()[at]
	rows := m.picture()
	for i, r := range rows {
		rows[i] = " " + r
	}
	head := frame.Plain(f.Name) + m.theme.Dim.Render("  "+frame.Plain(f.Kind))
	return frame.Fit(" "+head, frame.Size{Width: body.Width, Height: 1})[0] + "\n" + strings.Join(rows, "\n")
}
