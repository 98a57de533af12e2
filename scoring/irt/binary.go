package irt

type quadrature struct{}
