<?php // What dbDelta() is in, in WordPress; here it is in wordpress.php.
