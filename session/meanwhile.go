package session

// Meanwhile describes in a sentence what is going on or has finished during a pause; "" if there is
// nothing.
func (s *State) Meanwhile() string {
	a := s.Attempt()
	switch {
	case a == nil:
		return ""
	case s.Phase == Wait && s.Plan.Model.Provider == "paste":
		return "The pause does not reach your chat page: the model there goes on. You can paste its answer afterwards."
	case s.Phase == Wait:
		return "The model goes on answering. Its answer will be here afterwards."
	case s.Phase == Pick:
		return "Both answers are there."
	case s.Phase == Review && a.Verdict == nil:
		return "The answer is there, and its tests go on."
	case s.Phase == Review:
		return "The answer is there."
	case s.Phase == Compose && a.Failed != nil:
		return "The model did not answer; the reason is shown afterwards."
	}
	return ""
}
